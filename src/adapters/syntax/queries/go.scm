(function_declaration name: (_) @name) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration
    type: [(type_identifier) @container
           (pointer_type (type_identifier) @container)
           (generic_type type: (type_identifier) @container)
           (pointer_type (generic_type type: (type_identifier) @container))]))
  name: (_) @name) @definition.method
(type_spec name: (_) @name type: (struct_type)) @definition.struct
(type_spec name: (_) @name type: (interface_type)) @definition.interface
(type_spec name: (_) @name) @definition.type
(type_alias name: (_) @name) @definition.type
(source_file (const_declaration (const_spec name: (identifier) @name) @definition.const))
(source_file (var_declaration (var_spec name: (identifier) @name) @definition.var))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @definition.var)))
(field_declaration name: (_) @name) @definition.field
(method_elem name: (_) @name) @definition.method
(package_clause (package_identifier) @name) @definition.module

(parameter_declaration name: (_) @local)
(variadic_parameter_declaration name: (_) @local)
(type_parameter_declaration name: (_) @local)
(short_var_declaration left: (expression_list (identifier) @local))
(range_clause left: (expression_list (identifier) @local))
(block (statement_list (var_declaration (var_spec name: (_) @local))))

(import_spec path: (_) @import.module) @import
(import_spec name: (_) @import.name)

(call_expression function: (identifier) @reference.call)
(call_expression function: (selector_expression field: (_) @reference.call))
(call_expression function: (type_instantiation_expression type: (_) @reference.call))
(type_identifier) @reference.type
(identifier) @reference.use
(selector_expression field: (_) @reference.use)

(comment) @comment
