export type { OpenReservations } from "./reservations.ts";
export { createEngineer } from "./role.ts";
export { consultLibrarian, engineerRole } from "./skills.ts";
