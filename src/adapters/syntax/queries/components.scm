; Vue and Svelte: the script is TypeScript, which reads JavaScript too.
(script_element (raw_text) @embedded)
((tag_name) @reference.call (#match? @reference.call "^[A-Z]"))
(comment) @comment
