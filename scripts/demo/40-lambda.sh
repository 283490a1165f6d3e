# shellcheck shell=bash disable=SC2154
documents=$demo/lambda/documents.tools.abl
go build -o .cache/document-processor ./$demo/lambda
document=(--arg document_url=https://example.com/tickets.txt --arg format=text)

heading "A Lambda function that runs here, unchanged; what it does is unknown, so it asks"
expect 3 bin/abl-lsp run $documents process_document "${document[@]}"
expect 0 bin/abl-lsp run $documents process_document "${document[@]}" --yes

heading "What would go to AWS"
expect 0 bin/abl-lsp run $documents process_document "${document[@]}" --environment cloud --dry-run

heading "A function that fails says why"
expect 1 bin/abl-lsp run $documents process_document --arg document_url=tickets.txt --arg format=djvu --yes
