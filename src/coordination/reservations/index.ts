export { acquireReservation } from "./acquire-reservation.ts";
export { endReservation } from "./end-reservation.ts";
export { listReservations } from "./list-reservations.ts";
export type { ReservationPorts, ReservationSettings } from "./ports.ts";
export { releaseReservation, renewReservation } from "./renew-reservation.ts";
export type { ReservationRecord, ReservationRepository } from "./store.ts";
export { sqliteReservations } from "./store.sqlite.ts";
