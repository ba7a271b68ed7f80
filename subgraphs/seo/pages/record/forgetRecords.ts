import { scoped } from '../../../platform/installation/scoped.ts';
import { SeoRecordModel } from './model.ts';

/** Removes SEO records that nothing refers to. */
export async function forgetRecords(installationId: string, ids: readonly string[]): Promise<void> {
  await scoped(SeoRecordModel, installationId).deleteMany({ _id: { $in: [...ids] } });
}
