import { type Status, statuses } from './model.ts';
import {
  allowedTransitions,
  checkTransition,
  type TransitionSubject,
  type TransitionVerdict,
  transitions,
} from './statusMachine.ts';

const manager = { id: 'usr_manager', manages: true };
const contributor = { id: 'usr_contributor', manages: false };
const subject = (status: Status, options: Partial<TransitionSubject> = {}): TransitionSubject => ({
  status,
  live: false,
  assigneeId: null,
  ...options,
});

const ok = 'allowed';
const none = 'invalid_transition';
const manage = 'transition_not_allowed';
const mine = 'not_assignee';

/** Verdicts for a contributor whom nothing is assigned to, from each status (row) to each status (column). */
const forContributor: Record<Status, TransitionVerdict[]> = {
  //             draft  in_progress needs_review published archived
  draft: [none, ok, ok, manage, manage],
  in_progress: [ok, none, ok, manage, manage],
  needs_review: [manage, mine, none, manage, manage],
  published: [manage, ok, none, none, manage],
  archived: [manage, none, none, none, none],
};
const pairs = statuses.flatMap((from) =>
  statuses.map((to, column) => [from, to, forContributor[from][column] as TransitionVerdict] as const),
);

test.each(pairs)('a contributor moves an unassigned text from %s to %s: %s', (from, to, verdict) => {
  expect(checkTransition(subject(from), to, contributor)).toBe(verdict);
});

test.each(pairs)('a manager moves a text from %s to %s by every transition', (from, to) => {
  expect(checkTransition(subject(from, { live: true, assigneeId: 'usr_x' }), to, manager)).toBe(
    transitions[from][to] === undefined ? none : ok,
  );
});

test.each(pairs)('a contributor moves an assigned text from %s to %s', (from, to, verdict) => {
  const own = subject(from, { assigneeId: contributor.id });
  // An assigned contributor withdraws what was handed in; everything else is as for an unassigned text.
  expect(checkTransition(own, to, contributor)).toBe(verdict === mine ? ok : verdict);
});

test.each(pairs)(
  'a contributor does not move a text of another assignee from %s to %s',
  (from, to, verdict) => {
    const foreign = subject(from, { assigneeId: 'usr_colleague' });
    expect(checkTransition(foreign, to, contributor)).toBe(verdict === none ? none : mine);
  },
);

test.each(pairs)('a contributor takes no live page down from %s to %s', (from, to, verdict) => {
  const live = subject(from, { live: true });
  const takesDown = from === 'in_progress' && to === 'draft';
  expect(checkTransition(live, to, contributor)).toBe(takesDown ? manage : verdict);
});

test('the allowed transitions are those that are not refused', () => {
  const all = ['draft', 'in_progress', 'published', 'archived'];
  expect(allowedTransitions(subject('needs_review'), manager)).toEqual(all);
  expect(allowedTransitions(subject('needs_review'), contributor)).toEqual([]);
  expect(allowedTransitions(subject('draft'), contributor)).toEqual(['in_progress', 'needs_review']);
  expect(allowedTransitions(subject('archived'), manager)).toEqual(['draft']);
});
