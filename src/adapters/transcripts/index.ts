export { clientPlaces } from "./client-places.ts";
export { opencodeSource } from "./opencode-source.ts";
export { transcriptsIn } from "./transcript-files.ts";
