/** No plan that can run was proposed: the run ends with this reason, and nothing was changed. */
export class PlanRefused extends Error {
  override readonly name = "PlanRefused";
}
