import type { RequestContext } from '../subgraphs/platform/context/RequestContext.ts';
import { outcomeOf } from '../subgraphs/platform/telemetry/outcomeOf.ts';
import type { Telemetry, Work } from '../subgraphs/platform/telemetry/Telemetry.ts';
import type { Prepared } from './execution/Engine.ts';

/**
 * Returns an operation whose executions are measured. Operations that are known at start have their name as a label;
 * others have `ad_hoc`, because clients choose the names.
 */
export function observePrepared(prepared: Prepared, isKnown: boolean, telemetry: Telemetry): Prepared {
  const work: Work = {
    kind: 'operation',
    operation: (isKnown && prepared.operationName) || 'ad_hoc',
    type: prepared.operationType,
    planHash: prepared.planHash,
  };
  return {
    ...prepared,
    execute: (variables, context) =>
      telemetry.observe(work, (context as RequestContext).requestId, outcomeOf, () =>
        prepared.execute(variables, context),
      ),
  };
}
