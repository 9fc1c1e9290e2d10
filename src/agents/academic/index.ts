export { academicCommands } from "./commands.ts";
export { createAcademic } from "./role.ts";
export { academicCallables, type AcademicPorts } from "./skill-handlers.ts";
export { academicRole } from "./skills.ts";
export { writeByModel } from "./write-by-model.ts";
