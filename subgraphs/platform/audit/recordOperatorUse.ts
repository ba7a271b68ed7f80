import type { RequestContext } from '../context/RequestContext.ts';
import { recordAudit } from './recordAudit.ts';

/** What this request has had written down already: a list of a hundred records is one use. */
function writtenDown(): Set<string> {
  return new Set();
}

/**
 * Writes down that an operator was let through to something guarded, before it is resolved: whatever he does in an
 * installation stands in its audit events. What he is refused is recorded like everybody's refusals.
 *
 * @param action name of a root field, `Type.field` of another one, or the type of a reference
 */
export async function recordOperatorUse(context: RequestContext, action: string): Promise<void> {
  const written = context.loader(writtenDown);
  if (written.has(action)) return;
  written.add(action);
  await recordAudit(context, { action, target: null });
}
