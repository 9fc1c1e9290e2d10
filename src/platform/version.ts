/** The version of this build. */
import manifest from "../../package.json" with { type: "json" };

export const version: string = manifest.version;

/** What commands and daemon agree on; raised when an older command can no longer talk to a newer daemon. */
export const protocol = 1;
