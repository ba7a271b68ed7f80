import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { decodeCursor, encodeCursor } from '../../../platform/pagination/cursor.ts';
import { checkGroups } from './checkGroups.ts';
import { checkRecords } from './checkRecords.ts';
import type { RelationFindingParent } from './RelationFindingParent.ts';

/** Number of groups or records in a range. */
const stretchSize = 500;
/** Maximum number of checked objects in a part; the next part continues after them. */
const mostLookedAt = 10_000;
const mostFindings = 250;
/** Well within the deadline of a subgraph, with time left for repairs. */
const longestMs = 1500;

/** One part of a report. */
export interface Part {
  readonly findings: readonly RelationFindingParent[];
  readonly lookedAt: number;
  /** Cursor; null after everything has been checked. */
  readonly next: string | null;
}

/** The checks in their order. */
const looks = { groups: checkGroups, records: checkRecords };
type Look = keyof typeof looks;

/** Checks groups and then records, starting at the cursor, until a part is full. */
export async function checkPart(context: RequestContext, after: string | null | undefined): Promise<Part> {
  const until = performance.now() + longestMs;
  const findings: RelationFindingParent[] = [];
  let lookedAt = 0;
  let [look, key]: [Look, string] = after == null ? ['groups', ''] : openCursor(context, after);
  for (;;) {
    const stretch = await looks[look](context, key, stretchSize);
    findings.push(...stretch.findings);
    lookedAt += stretch.lookedAt;
    if (stretch.last === null && look === 'records') return { findings, lookedAt, next: null };
    [look, key] = stretch.last === null ? ['records', ''] : [look, stretch.last];
    if (findings.length < mostFindings && lookedAt < mostLookedAt && performance.now() < until) continue;
    return { findings, lookedAt, next: encodeCursor(context, cursorOf, [look, key]) };
  }
}

const cursorOf = 'relationHealth';

function openCursor(context: RequestContext, cursor: string): [Look, string] {
  const [look, key] = decodeCursor(context, cursorOf, cursor);
  return [look === 'groups' ? 'groups' : 'records', String(key)];
}
