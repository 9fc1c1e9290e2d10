; The keys of the top two levels.
(document (block_node (block_mapping (block_mapping_pair key: (_) @name) @definition.config)))
(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping
  (block_mapping_pair key: (_) @name) @definition.config))))))
(block_mapping_pair key: (_) @section value: (block_node (block_mapping (block_mapping_pair key: (_) @import.module) @import))
  (#match? @section "^(dev_)?dependencies$"))
; Steps of workflows.
(block_mapping_pair key: (_) @key value: (flow_node) @import.module (#eq? @key "uses")) @import
(comment) @comment
