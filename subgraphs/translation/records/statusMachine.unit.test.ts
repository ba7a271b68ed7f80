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

/** Verdicts for a contributor on an unassigned text, from each status (row) to each status (column). */
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

test.each(pairs)(
  'moving an unassigned text from %s to %s results in %s for a contributor',
  (from, to, verdict) => {
    expect(checkTransition(subject(from), to, contributor)).toBe(verdict);
  },
);

test.each(pairs)('a manager may move a text from %s to %s if the transition exists', (from, to) => {
  expect(checkTransition(subject(from, { live: true, assigneeId: 'usr_x' }), to, manager)).toBe(
    transitions[from][to] === undefined ? none : ok,
  );
});

test.each(pairs)(
  'moving an own assigned text from %s to %s is allowed like an unassigned one, or as a withdrawal',
  (from, to, verdict) => {
    const own = subject(from, { assigneeId: contributor.id });
    // An assigned contributor can withdraw a text from review. All other verdicts are those of an unassigned text.
    expect(checkTransition(own, to, contributor)).toBe(verdict === mine ? ok : verdict);
  },
);

test.each(pairs)(
  'a contributor cannot move a text of another assignee from %s to %s',
  (from, to, verdict) => {
    const foreign = subject(from, { assigneeId: 'usr_colleague' });
    expect(checkTransition(foreign, to, contributor)).toBe(verdict === none ? none : mine);
  },
);

test.each(pairs)(
  'moving a live text from %s to %s is allowed for a contributor unless it takes the page down',
  (from, to, verdict) => {
    const live = subject(from, { live: true });
    const takesDown = from === 'in_progress' && to === 'draft';
    expect(checkTransition(live, to, contributor)).toBe(takesDown ? manage : verdict);
  },
);

test('allowedTransitions returns the statuses to which a caller may move a text', () => {
  const all = ['draft', 'in_progress', 'published', 'archived'];
  expect(allowedTransitions(subject('needs_review'), manager)).toEqual(all);
  expect(allowedTransitions(subject('needs_review'), contributor)).toEqual([]);
  expect(allowedTransitions(subject('draft'), contributor)).toEqual(['in_progress', 'needs_review']);
  expect(allowedTransitions(subject('archived'), manager)).toEqual(['draft']);
});
