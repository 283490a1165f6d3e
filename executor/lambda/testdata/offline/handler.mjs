export const process_document = async (event, context) => {
  console.log("processing", event.document_url);
  if (event.format === "djvu") throw new TypeError(`no format: ${event.format}`);
  return { text: `The text of ${event.document_url}`, pages: 12, id: context.awsRequestId };
};
