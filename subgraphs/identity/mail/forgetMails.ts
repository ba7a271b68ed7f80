import { scoped } from '../../platform/installation/scoped.ts';
import { MailModel, type MailRecord } from './model.ts';

/** Deletes the emails of a template that were sent to these addresses. */
export async function forgetMails(
  installationId: string,
  template: MailRecord['template'],
  addresses: readonly string[],
): Promise<void> {
  await scoped(MailModel, installationId).deleteMany({ to: { $in: [...addresses] }, template });
}
