import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import { changeMemberships, ofObjects } from '../../records/memberships/changeMemberships.ts';
import { forgetMemberships } from '../../records/memberships/forgetMemberships.ts';
import type { RepairRelationsInput } from '../../translation.generated.ts';
import { forgetObject } from '../erasure/forgetObject.ts';
import { checkPart } from './checkPart.ts';
import { decideRepair } from './decideRepair.ts';
import type { RelationFindingParent } from './RelationFindingParent.ts';
import { takeDown } from './takeDown.ts';

/** After this long what is left is left for the next call. */
const longestMs = 3000;

/** Result of one part. */
interface Repair {
  repaired: RelationFindingParent[];
  remaining: RelationFindingParent[];
  next: string | null;
}

/** Checks one part and repairs it as far as possible. */
export async function repairRelations(
  { codes, after }: RepairRelationsInput,
  context: RequestContext,
): Promise<Repair> {
  const until = performance.now() + longestMs;
  const { findings, next } = await checkPart(context, after);
  const { default: standard } = await loadLanguageSettings(context);
  const answer: Repair = { repaired: [], remaining: [], next };
  // A repair may also fix other findings, which then need none.
  const done = new Map<string, boolean>();
  for (const finding of findings) {
    const wanted = finding.repairable && (codes == null || codes.includes(finding.code));
    if (!wanted) {
      answer.remaining.push(finding);
      continue;
    }
    const subject = subjectOf(finding);
    if (!done.has(subject) && performance.now() < until)
      done.set(subject, await repair(context, finding, standard.code));
    (done.get(subject) ? answer.repaired : answer.remaining).push(finding);
  }
  forgetMemberships(context);
  return answer;
}

/** Returns what one transaction repairs. */
function subjectOf({ code, groupId, record }: RelationFindingParent): string {
  if (code === 'object_gone') return `gone ${record?.objectType}:${record?.subjectId}`;
  if (code === 'live_without_words') return `words ${record?._id}`;
  return groupId ?? `alone ${record?._id}`;
}

/** Returns false if other requests were faster; the next report contains the finding again. */
async function repair(
  context: RequestContext,
  finding: RelationFindingParent,
  defaultCode: string,
): Promise<boolean> {
  const { code, groupId, record } = finding;
  try {
    if (code === 'object_gone' && record)
      await forgetObject(context, { type: record.objectType, id: record.subjectId }, defaultCode);
    else if (code === 'live_without_words' && record) await takeDown(context, record);
    else
      await changeMemberships(context, {
        ...(groupId === null ? { records: ofObjects(record?.objectKey ?? '') } : { groupIds: [groupId] }),
        defaultCode,
        decide: (state) => decideRepair(state, groupId),
      });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'group_busy') return false;
    throw error;
  }
}
