# shellcheck shell=bash disable=SC2154
code=$demo/sandbox/examples.tools.abl

heading "Code of tools runs apart from everything else: JavaScript, and Python"
expect 0 bin/abl-lsp run $code calculate_tax --arg income=85000 --arg state=CA
expect 0 bin/abl-lsp run $code format_currency --arg amount=1234.5 --arg currency=EUR
expect 0 bin/abl-lsp run $code analyze_text --arg "text=One sentence. And another one!"
expect 0 bin/abl-lsp run $code average --arg "numbers=[1, 2, 3.5]"
expect 0 bin/abl-lsp run $code total_by_region --arg csv=$'north,10\nsouth,5\nnorth,2'

heading "What it throws names the line of the file; what it may not do is refused"
expect 1 bin/abl-lsp run $code average --arg "numbers=[]"
expect 1 bin/abl-lsp run $code read_passwords
