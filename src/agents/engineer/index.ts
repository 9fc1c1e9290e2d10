export type { ReservationClient } from "./reservations.ts";
export { createEngineer } from "./role.ts";
export { consultArchivalist, consultLibrarian, engineerRole } from "./skills.ts";
