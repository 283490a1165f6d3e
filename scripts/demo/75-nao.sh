# shellcheck shell=bash disable=SC2154
notes=$demo/nao/notes.tools.json
answers=(--allow-host 127.0.0.1:8787 --grant 'notes:*:*' --yes)

print_heading "Tools in a file of Nao: their permissions are asked for before each run"
expect 0 bin/abl-lsp check $notes
expect 0 bin/abl-lsp tools $notes
expect 3 bin/abl-lsp run $notes put_note --arg id=packing --arg "text=# Boots" --yes

print_heading "A run is verified: the note is read again, and must have the written text"
expect 0 bin/abl-lsp run $notes put_note --arg id=packing --arg "text=# Boots" "${answers[@]}"
first=$(bin/abl-lsp history --limit 1 | sed -n '1s,.* ,,p')
expect 0 bin/abl-lsp run $notes put_note@2.0 --arg id=packing --arg "text=# Sandals" "${answers[@]}"
second=$(bin/abl-lsp history --limit 1 | sed -n '1s,.* ,,p')
expect 1 bin/abl-lsp run $notes put_note --arg id=full --arg "text=One too many" "${answers[@]}"
failed_run=$(bin/abl-lsp history --limit 1 | sed -n '1s,.* ,,p')

print_heading "It is reverted from the journal: the newest run first, and only once"
expect 3 bin/abl-lsp history revert "$first" "${answers[@]}"
expect 0 bin/abl-lsp history revert "$failed_run" "${answers[@]}"
expect 0 bin/abl-lsp history revert "$second" "${answers[@]}"
expect 0 bin/abl-lsp run $notes get_note --arg id=packing "${answers[@]}"
expect 3 bin/abl-lsp history revert "$second" "${answers[@]}"
