(exception_definition (constructor_declaration (constructor_name) @name)) @definition.type
(module_binding (module_name) @name) @definition.module
(module_type_definition (module_type_name) @name) @definition.interface
(type_binding name: (type_constructor) @name) @definition.type
(constructor_declaration (constructor_name) @name) @definition.enum-member
(field_declaration (field_name) @name) @definition.field
([(compilation_unit (value_definition (let_binding pattern: (value_name) @name (parameter)) @definition.function))
  (structure (value_definition (let_binding pattern: (value_name) @name (parameter)) @definition.function))])
([(compilation_unit (value_definition (let_binding pattern: (value_name) @name) @definition.const))
  (structure (value_definition (let_binding pattern: (value_name) @name) @definition.const))])
(value_specification (value_name) @name) @definition.function
(external (value_name) @name) @definition.function
(class_binding (class_name) @name) @definition.class
(method_definition (method_name) @name) @definition.method

(value_pattern) @local
(let_binding pattern: (value_name) @local)

(open_module module: (_) @import.module) @import
(include_module module: (_) @import.module) @import

(application_expression function: (value_path (value_name) @reference.call))
(type_constructor) @reference.type
(module_name) @reference.use
(value_path (value_name) @reference.use)
(field_path (field_name) @reference.use)

(comment) @comment
