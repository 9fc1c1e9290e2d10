; Additions to c.scm, before it: constructors would be functions.
(field_declaration_list (declaration declarator: (function_declarator declarator: (identifier) @name)) @definition.constructor)
(field_declaration_list (function_definition declarator: (function_declarator declarator: (identifier) @name)) @definition.constructor)
(namespace_definition name: (_) @name) @definition.module
(class_specifier name: (_) @name body: (_)) @definition.class
(alias_declaration name: (_) @name) @definition.type
(concept_definition name: (_) @name) @definition.interface
(function_definition declarator: (function_declarator declarator: (qualified_identifier scope: (_) @container name: [(identifier) (destructor_name) (operator_name)] @name))) @definition.method
(function_definition declarator: (_ declarator: (function_declarator declarator: (qualified_identifier scope: (_) @container name: [(identifier) (operator_name)] @name)))) @definition.method
(function_definition declarator: [(function_declarator declarator: [(field_identifier) (operator_name) (destructor_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))
  (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))]) @definition.method
(function_definition declarator: (reference_declarator (function_declarator declarator: (identifier) @name))) @definition.function
(field_declaration declarator: [(function_declarator declarator: [(field_identifier) (operator_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))
  (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))]) @definition.method
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @definition.field
(namespace_definition body: (declaration_list (declaration declarator: [(identifier) @name
    (init_declarator declarator: (identifier) @name)
    (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))
    (init_declarator declarator: (array_declarator declarator: (identifier) @name))]) @definition.var))

(type_parameter_declaration (type_identifier) @local)
(parameter_declaration declarator: (reference_declarator (identifier) @local))
(optional_parameter_declaration declarator: (identifier) @local)
(for_range_loop declarator: (identifier) @local)

(call_expression function: (qualified_identifier name: (identifier) @reference.call))
(call_expression function: (qualified_identifier name: (template_function name: (_) @reference.call)))
(call_expression function: (qualified_identifier name: (qualified_identifier name: (identifier) @reference.call)))
(call_expression function: (template_function name: (identifier) @reference.call))
(new_expression type: (type_identifier) @reference.call)
(namespace_identifier) @reference.use
(using_declaration (_) @import.module) @import
