package tool

// soapFields returns the properties of an HTTP tool that only SOAP services need.
var soapFields = []Field{
	{Name: "protocol", Type: WordType, Default: "rest", Edition: Later, Values: []Word{
		{Name: "rest", Doc: "Plain HTTP.", Edition: Later},
		{Name: "soap", Doc: "SOAP envelopes.", Edition: Later},
	}, Doc: "How the endpoint is spoken to."},
	{Name: "soap_version", Type: WordType, Default: `"1.1"`, Edition: Later, Values: []Word{
		{Name: "1.1", Doc: "SOAP 1.1.", Edition: Later},
		{Name: "1.2", Doc: "SOAP 1.2.", Edition: Later},
	}, Doc: "The version of the envelope."},
	{Name: "soap_action", Type: String, Edition: Later, Doc: "The action that is announced to the service."},
	{Name: "on_soap_fault", Type: WordType, Edition: Later, Values: []Word{
		{Name: "error", Doc: "The call fails.", Edition: Later},
		{Name: "data", Doc: "The fault is the result.", Edition: Later},
	}, Doc: "What a SOAP fault means."},
	{Name: "soap_headers", Type: CodeType, Edition: Later,
		Doc: "SOAP header elements of your own, as a JSON object. The platform drops a text that is none."},
	{Name: "wsdl_response_arrays", Type: String, Edition: Later,
		Doc: "Paths of the response that are always arrays, separated by commas."},
	{Name: "wsdl_asset", Type: String, Edition: Later, Doc: "Name of the project's WSDL file. Beside it `wsdl_operation` is needed, and no body is written by hand."},
	{Name: "wsdl_version", Type: String, Edition: Later, Doc: "Version of the WSDL file: a number, or `latest`."},
	{Name: "wsdl_operation", Type: String, Edition: Later, Doc: "The operation that the tool calls."},
	{Name: "wsdl_asset_id", Type: String, Edition: Later, Doc: "Id of the project's WSDL file, instead of `wsdl_asset`."},
	{Name: "wsdl_version_id", Type: String, Edition: Later, Doc: "Id of the WSDL file's version."},
	{Name: "wsdl_service", Type: String, Edition: Later, Doc: "The service in the WSDL file."},
	{Name: "wsdl_port", Type: String, Edition: Later, Doc: "The port of that service."},
	{Name: "wsdl_binding", Type: String, Edition: Later, Doc: "The binding in the WSDL file."},
	{Name: "wsdl_target_namespace", Type: String, Edition: Later, Doc: "The XML namespace of the operation."},
	{Name: "wsdl_element", Type: String, Edition: Later, Doc: "The element that the request is made of."},
}
