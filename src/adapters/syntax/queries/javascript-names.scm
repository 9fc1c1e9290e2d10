; What the grammar of plain JavaScript has and the grammars of TypeScript do not.
(class_body (field_definition property: (_) @name) @definition.field)
(formal_parameters (identifier) @local)
(formal_parameters (assignment_pattern left: (identifier) @local))
(class_heritage (identifier) @reference.type)
