export { recordConsultations } from "./consultations.ts";
export { type HistoryAsk, historyAsk } from "./history-ask.ts";
export { archivalistCallables, searchHistory } from "./skill-handlers.ts";
export { archivalistSeat } from "./role.ts";
export { archivalistRole } from "./skills.ts";
