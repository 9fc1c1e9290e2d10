export type { OpenReservations } from "./reservations.ts";
export { createEngineer } from "./role.ts";
