import type { RequestContext } from '../context/RequestContext.ts';
import { recordAudit } from './recordAudit.ts';

/** Returns the uses that this request has already recorded: a list of a hundred records is one use. */
function writtenDown(): Set<string> {
  return new Set();
}

/**
 * Records that an operator was admitted to a guarded field, before it is resolved. The audit events of an installation
 * therefore contain every use by an operator. Refusals are recorded like those of every caller.
 *
 * @param action name of a root field, `Type.field` of another one, or the type of a reference
 */
export async function recordOperatorUse(context: RequestContext, action: string): Promise<void> {
  const written = context.loader(writtenDown);
  if (written.has(action)) return;
  written.add(action);
  await recordAudit(context, { action, target: null });
}
