import { Schema } from 'mongoose';
import type { ScopedRecord } from '../../../platform/installation/scoped.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

/** One number of the built-in ruleset that an installation replaces. */
export interface RulesetOverride {
  /** JSON pointer into the ruleset, as in `/thresholds/title.width/pixels/good/max`. */
  path: string;
  value: number;
}

/** One immutable version of an installation's overrides, so that the ruleset of a stored analysis stays known. */
export interface StoredRuleset extends ScopedRecord {
  /** 1 and one more for each change; the highest one is in force. */
  version: number;
  overrides: RulesetOverride[];
  createdAt: Date;
  /** `usr_…` or `opr_…`. */
  createdBy: string;
}

const override = new Schema<RulesetOverride>(
  { path: { type: String, required: true }, value: { type: Number, required: true } },
  { _id: false },
);

export const RulesetModel = defineModel<StoredRuleset>(
  'seo_rulesets',
  new Schema<StoredRuleset>({
    _id: String,
    version: { type: Number, required: true },
    overrides: { type: [override], required: true },
    createdAt: { type: Date, required: true },
    createdBy: { type: String, required: true },
  }).index({ installationId: 1, version: -1 }, { unique: true }),
);
