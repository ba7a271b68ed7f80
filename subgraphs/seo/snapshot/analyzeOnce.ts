import type { Platform } from '../../platform/context/Platform.ts';
import type { AnalysisLimits } from '../analysis/AnalysisPool.ts';
import { analyzePage } from '../analysis/analyzePage.ts';
import type { Analysis, AnalysisInput } from '../engine/contract.ts';
import type { SnapshotDraft } from './draftSnapshot.ts';

const underWay = new WeakMap<Platform, Map<string, Promise<Analysis>>>();

/**
 * Analyses the page of a draft. Whoever wants the same analysis at the same time (text, fields, ruleset and repetition of
 * one record) gets this one; in other processes the unique index makes one of two.
 *
 * @throws AppError `payload_too_large`, `validation_failed`, `seo_analysis_timeout`, `unavailable`
 */
export function analyzeOnce(
  platform: Platform,
  { record, basis, ruleset }: Pick<SnapshotDraft, 'record' | 'basis' | 'ruleset'>,
  page: AnalysisInput,
  limits?: AnalysisLimits,
): Promise<Analysis> {
  const running = runningIn(platform);
  const { textId, contentVersion, recordRevision, repetition } = basis;
  const key = [record._id, textId, contentVersion, recordRevision, repetition, basis.ruleset].join(' ');
  const known = running.get(key);
  if (known) return known;
  const analysis = analyzePage(page, ruleset, limits).finally(() => running.delete(key));
  running.set(key, analysis);
  return analysis;
}

function runningIn(platform: Platform): Map<string, Promise<Analysis>> {
  let running = underWay.get(platform);
  if (!running) {
    running = new Map();
    underWay.set(platform, running);
  }
  return running;
}
