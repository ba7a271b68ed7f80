import { createHash } from 'node:crypto';
import { checkCatalogue } from '../checkCatalogue.ts';
import type { CheckResult, Position } from '../contract.ts';
import type { Ruleset } from '../ruleset/Ruleset.ts';
import type { SuggestionKind } from '../suggestions/SuggestionKind.ts';
import {
  type Cause,
  type CauseName,
  causeOfCheck,
  causeOfReason,
  causes,
  type Effort,
  isFinding,
} from './causes.ts';
import { type Projection, projectionOf, type ScoredChecks, toGood } from './project.ts';
import type { Simulation } from './simulate.ts';

/** Severity of a finding: a cap on the whole score, at least three points of it, or less. */
export type Severity = 'critical' | 'important' | 'minor';

/** One recommended edit. */
export interface Recommendation {
  readonly id: string;
  readonly checkIds: readonly string[];
  /** Part of the page's scores that it raises. */
  readonly score: 'seo' | 'readability';
  readonly severity: Severity;
  readonly effort: Effort;
  /** Points of that score that are gained by the change, always more than 0. */
  readonly expectedGain: number;
  readonly title: string;
  readonly why: string;
  readonly steps: readonly string[];
  readonly target: Position;
  readonly suggestionKinds: readonly SuggestionKind[];
  readonly dismissed: boolean;
}

/** All recommendations, in order, and their effect. */
export interface RecommendationList {
  readonly items: readonly Recommendation[];
  /** SEO score after all entries that are not dismissed, 0 to 100. */
  readonly projectedScore: number;
}

const effortWeights: Readonly<Record<Effort, number>> = { low: 1, medium: 2, high: 4 };
const severities: readonly Severity[] = ['critical', 'important', 'minor'];
const importantGain = 3;

/** Checks of one cause: those that found something, and those that wait for it. */
interface Group {
  readonly name: CauseName;
  readonly found: readonly CheckResult[];
  readonly hidden: readonly CheckResult[];
  readonly dismissed: boolean;
  /** Whether all findings of the cause are in this group, and not some in a dismissed one. */
  readonly isWhole: boolean;
}

/** A group and the check results that its change leads to. */
interface Change {
  readonly group: Group;
  readonly results: readonly CheckResult[];
  readonly gain: number;
}

/**
 * Returns the recommendations of an analysis, sorted by severity, gain per effort, and id of the first check. A change
 * that gains nothing, for example below a cap, is not recommended.
 *
 * @param isDismissed whether a user has dismissed exactly this finding
 * @param simulation results of the checks after suggestions are applied; the other changes are assumed to correct
 *   their findings
 */
export function toRecommendations(
  analysis: ScoredChecks,
  ruleset: Ruleset,
  isDismissed: (check: CheckResult) => boolean,
  simulation: Simulation = {},
): RecommendationList {
  const projection = projectionOf(analysis, ruleset);
  const changes = toGroups(analysis.checks, isDismissed)
    .map((group) => toChange(group, projection, simulation))
    .filter(({ gain }) => gain > 0);
  const results = changes
    .filter(({ group }) => !group.dismissed)
    .flatMap((change) => change.results.filter(({ group }) => group !== 'readability'));
  // The keyphrase comes first, and the change of another field decides about the checks of that field.
  const last = new Map<string, CheckResult>();
  for (const result of results) if (result.applicable || !last.has(result.id)) last.set(result.id, result);
  return {
    items: changes.map((change) => toRecommendation(change, analysis)).sort(compare),
    projectedScore: Math.round(projection.after([...last.values()])),
  };
}

/**
 * Returns the change of a group: its simulated results if they raise the score, otherwise its findings corrected,
 * because an editor may find a better value than the suggestion. Checks of other causes that only become applicable are
 * not part of it, because the change does not decide about them.
 */
function toChange(group: Group, projection: Projection, simulation: Simulation): Change {
  const cause: Cause = causes[group.name];
  const simulated = group.isWhole ? cause.kinds.flatMap((kind) => simulation[kind] ?? []) : [];
  const simulatedGain = simulated.length === 0 ? 0 : projection.gainOf(simulated);
  if (simulatedGain > 0) return { group, results: simulated, gain: simulatedGain };
  const own = group.hidden.filter(({ id }) => causeOfCheck.get(id) === group.name);
  const corrected = [...group.found, ...own].map(toGood);
  return { group, results: corrected, gain: projection.gainOf(corrected) };
}

function toGroups(
  checks: readonly CheckResult[],
  isDismissed: (check: CheckResult) => boolean,
): readonly Group[] {
  const found = Map.groupBy(checks.filter(isFinding), ({ id }) => causeOfCheck.get(id));
  const hidden = Map.groupBy(
    checks.filter(({ notApplicableReason: reason }) => reason !== null && reason in causeOfReason),
    ({ notApplicableReason }) => causeOfReason[notApplicableReason ?? ''],
  );
  return (Object.keys(causes) as CauseName[]).flatMap((name): Group[] => {
    const waiting = hidden.get(name) ?? [];
    // Without a keyphrase, its checks do not apply; the first of them represents all.
    const [first] = name === 'keyphrase' ? waiting : [];
    const all = found.get(name) ?? (first ? [first] : []);
    const { open = [], dismissed = [] } = Object.groupBy(all, (check) =>
      isDismissed(check) ? 'dismissed' : 'open',
    );
    // A hidden check requires every part of the cause.
    const rest = waiting.filter((check) => check !== first);
    const isWhole = open.length === 0 || dismissed.length === 0;
    return [
      ...(open.length > 0 ? [{ name, found: open, hidden: rest, dismissed: false, isWhole }] : []),
      ...(dismissed.length > 0
        ? [{ name, found: dismissed, hidden: open.length > 0 ? [] : rest, dismissed: true, isWhole }]
        : []),
    ];
  });
}

function checksOf({ found, hidden }: Group): readonly CheckResult[] {
  return [...found, ...hidden];
}

function toRecommendation({ group, gain }: Change, { scores }: ScoredChecks): Recommendation {
  const cause: Cause = causes[group.name];
  const checks = checksOf(group);
  const checkIds = checks.map(({ id }) => id);
  const isMissing = group.found.some(({ applicable }) => !applicable);
  const [lead] = group.found;
  return {
    id: `rec_${hash([group.name, checkIds, group.dismissed])}`,
    checkIds,
    score: lead?.group === 'readability' ? 'readability' : 'seo',
    severity: severityOf(group, gain, scores.seo.cappedBy),
    effort: cause.effort,
    expectedGain: gain,
    title: isMissing ? 'Choose a keyphrase' : cause.title,
    why: isMissing
      ? 'Without a keyphrase nothing says what the page shall be found by, and the score stays below good.'
      : (descriptions.get(lead?.id ?? '') ?? ''),
    steps: isMissing
      ? ['Write down the one to four words that people would search for to find this page.']
      : group.found.map(({ message }) => message.text),
    target: group.found.flatMap(({ positions }) => positions)[0] ?? whole(cause.field),
    suggestionKinds: cause.kinds,
    dismissed: group.dismissed,
  };
}

const descriptions: ReadonlyMap<string, string> = new Map(
  checkCatalogue().map(({ id, description }) => [id, description]),
);

function severityOf({ name, found }: Group, gain: number, cappedBy: string | null): Severity {
  const lifts =
    (name === 'indexable' && found.some(({ rating }) => rating === 'bad')) ||
    (name === 'content_length' && cappedBy === 'no_content') ||
    (cappedBy === 'no_keyphrase' && found.some(({ applicable }) => !applicable));
  if (lifts) return 'critical';
  return gain >= importantGain ? 'important' : 'minor';
}

function whole(field: string): Position {
  return { field, start: 0, end: 0, excerpt: null };
}

function compare(a: Recommendation, b: Recommendation): number {
  return (
    rankOf(a) - rankOf(b) ||
    valueOf(b) - valueOf(a) ||
    compareTexts(a.checkIds[0] ?? '', b.checkIds[0] ?? '') ||
    compareTexts(a.id, b.id)
  );
}

/** Compares by code units, because the order of a locale differs between machines. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function rankOf({ severity }: Recommendation): number {
  return severities.indexOf(severity);
}

function valueOf({ expectedGain, effort }: Recommendation): number {
  return expectedGain / effortWeights[effort];
}

function hash(facts: unknown): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
}

/** Returns whether a severity is at least another one. */
export function isAtLeast(severity: Severity, least: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(least);
}
