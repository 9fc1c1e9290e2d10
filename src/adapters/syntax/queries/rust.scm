(impl_item type: [(type_identifier) @name (generic_type type: (type_identifier) @name) (scoped_type_identifier name: (_) @name)]) @scope
(impl_item body: (declaration_list (function_item name: (_) @name) @definition.method))
(trait_item body: (declaration_list [(function_item name: (_) @name) (function_signature_item name: (_) @name)] @definition.method))
(function_item name: (_) @name) @definition.function
(function_signature_item name: (_) @name) @definition.function
(struct_item name: (_) @name) @definition.struct
(union_item name: (_) @name) @definition.struct
(enum_item name: (_) @name) @definition.enum
(enum_variant name: (_) @name) @definition.enum-member
(trait_item name: (_) @name) @definition.interface
(type_item name: (_) @name) @definition.type
(associated_type name: (_) @name) @definition.type
(const_item name: (_) @name) @definition.const
(static_item name: (_) @name) @definition.var
(field_declaration name: (_) @name) @definition.field
(mod_item name: (_) @name) @definition.module
(macro_definition name: (_) @name) @definition.macro

(parameter pattern: (identifier) @local)
(parameter pattern: (mut_pattern (identifier) @local))
(closure_parameters (identifier) @local)
(let_declaration pattern: (identifier) @local)
(let_declaration pattern: (mut_pattern (identifier) @local))
(let_declaration pattern: (tuple_pattern (identifier) @local))
(for_expression pattern: (identifier) @local)
(tuple_struct_pattern (identifier) @local)
(type_parameters (type_parameter name: (_) @local))

(use_declaration argument: (_) @import.tree) @import
(extern_crate_declaration name: (_) @import.module) @import
(mod_item name: (_) @import.module !body) @import

; What a macro is given is not parsed: a name before "(" is a call.
(token_tree (identifier) @reference.call . (token_tree . "("))
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression field: (_) @reference.call))
(call_expression function: (scoped_identifier name: (_) @reference.call))
(call_expression function: (generic_function function: (identifier) @reference.call))
(call_expression function: (generic_function function: (scoped_identifier name: (_) @reference.call)))
(call_expression function: (generic_function function: (field_expression field: (_) @reference.call)))
(macro_invocation macro: (identifier) @reference.call)
(macro_invocation macro: (scoped_identifier name: (_) @reference.call))
(type_identifier) @reference.type
(field_expression field: (_) @reference.use)
(identifier) @reference.use

(line_comment) @comment
(block_comment) @comment
