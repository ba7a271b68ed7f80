import type { FieldProblem } from '../../../../schema/Problem.ts';
import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../../platform/errors/AppError.ts';
import { announce, firstOutbox } from '../../../platform/events/outbox.ts';
import { isDuplicateKey, scoped } from '../../../platform/installation/scoped.ts';
import { checkLanguageSettings } from './checkLanguageSettings.ts';
import {
  type LanguageSettings,
  loadLanguageSettings,
  readLanguageSettings,
  rememberLanguageSettings,
  type StoredSettings,
} from './languageSettings.ts';
import { type LanguageEntry, LanguageSettingsModel, type LanguageSettingsRecord } from './model.ts';

/** Maximum number of attempts. After a concurrent change, the rules are checked again. */
const mostAttempts = 5;

/** Members that a change may write; the others are kept. */
export type SettingsChange = Partial<
  Pick<StoredSettings, 'defaultCode' | 'baseUrl' | 'urlStrategy' | 'hideDefaultPrefix' | 'languages'>
>;

/** Decides what becomes of the configuration; null when everything is so already. Throws what it refuses. */
export type DecideSettings = (
  present: StoredSettings,
) => SettingsChange | null | Promise<SettingsChange | null>;

/**
 * Changes the configuration of the request's installation by one compare-and-set on its version, after all rules were
 * checked. Two changes that are each valid therefore cannot break a rule together.
 *
 * @param about code of the language that a caller names; pointers of errors are then relative to it
 * @throws AppError `precondition_failed`, `validation_failed`, `concurrent_update`, and errors of the decision
 */
export async function changeLanguageSettings(
  context: RequestContext,
  expectedVersion: number | null | undefined,
  decide: DecideSettings,
  about?: string,
): Promise<LanguageSettings> {
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const present = await readLanguageSettings(context);
    const change = await decideFor(present, expectedVersion, decide);
    assertVersion(present.version, expectedVersion);
    if (change === null) return loadLanguageSettings(context);
    const next = { ...present, ...change };
    assertKeepsRules(next, about);
    const written = await store(context, present, next);
    if (written) return rememberLanguageSettings(context, written);
  }
  throw new AppError('concurrent_update', 'Other requests are changing the languages. Retry shortly.', {
    retryAfter: 1,
  });
}

/** Reports errors of the request first, then its version, then conflicts with the current state. */
async function decideFor(
  present: StoredSettings,
  expectedVersion: number | null | undefined,
  decide: DecideSettings,
): Promise<SettingsChange | null> {
  try {
    return await decide(present);
  } catch (error) {
    if (error instanceof AppError && error.status === 409) assertVersion(present.version, expectedVersion);
    throw error;
  }
}

/** Stores the configuration; null if another process was faster. */
async function store(
  context: RequestContext,
  present: StoredSettings,
  { defaultCode, baseUrl, urlStrategy, hideDefaultPrefix, languages }: StoredSettings,
): Promise<LanguageSettingsRecord | null> {
  const settings = scoped(LanguageSettingsModel, context.installationId);
  const now = new Date(context.platform.now());
  const members = { defaultCode, baseUrl, urlStrategy, hideDefaultPrefix, languages, updatedAt: now };
  if (present.version > 0)
    return settings.findOneAndUpdate(
      { _id: context.installationId, version: present.version },
      { $set: members, $inc: { version: 1 }, $push: announce(context, 'language.changed') },
    );
  try {
    return await settings.insert({
      _id: context.installationId,
      version: 1,
      createdAt: now,
      ...members,
      ...firstOutbox(context, 'language.changed'),
    });
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

function assertKeepsRules(settings: StoredSettings, about: string | undefined): void {
  const problems = checkLanguageSettings(settings);
  if (problems.length === 0) return;
  const own = `#/languages/${settings.languages.findIndex(({ code }) => code === about)}`;
  const taken = problems.find(({ pointer, code }) => code === 'duplicate' && pointer === own);
  if (taken) throw new AppError('language_exists', taken.detail);
  throw invalidFields(problems.map((problem) => relativeTo(own, problem)));
}

function relativeTo(own: string, problem: FieldProblem): FieldProblem {
  const { pointer } = problem;
  if (pointer !== own && !pointer.startsWith(`${own}/`)) return problem;
  return { ...problem, pointer: `#${pointer.slice(own.length)}` };
}

/**
 * Returns the language with a code.
 *
 * @throws AppError 404 `not_found` for a code that is not configured
 */
export function entryOf({ languages }: StoredSettings, code: string): LanguageEntry {
  const entry = languages.find((candidate) => candidate.code === code);
  if (!entry) throw new AppError('not_found', 'No language of the installation has this code.');
  return entry;
}
