export { writeByModel } from "./write-by-model.ts";
