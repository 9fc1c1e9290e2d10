/** The version of this build. */
import manifest from "../../package.json" with { type: "json" };

export const version: string = manifest.version;

/** The protocol between commands and daemon; raised when an older command can no longer talk to a newer daemon. */
export const protocol = 1;
