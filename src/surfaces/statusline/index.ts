export { statusline } from "./statusline.ts";
