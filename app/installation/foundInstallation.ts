import { ulid } from 'ulid';
import { createInstallation } from '../../subgraphs/identity/createInstallation.ts';
import { CategoryModel } from '../../subgraphs/identity/listings/category/model.ts';
import { writeMail } from '../../subgraphs/identity/mail/writeMail.ts';
import { issueMailLink } from '../../subgraphs/identity/people/mail-link/mailLinks.ts';
import { MailLinkModel } from '../../subgraphs/identity/people/mail-link/model.ts';
import { createUser } from '../../subgraphs/identity/people/user/createUser.ts';
import { UserModel } from '../../subgraphs/identity/people/user/model.ts';
import { recordSystemAudit } from '../../subgraphs/platform/audit/recordAudit.ts';
import { AuditEventModel } from '../../subgraphs/platform/audit/store/model.ts';
import { defaultSettings, type Installation } from '../../subgraphs/platform/installation/Installation.ts';
import { InstallationModel } from '../../subgraphs/platform/installation/Installations.ts';
import { createLanguageSettings } from '../../subgraphs/translation/languages/language/createLanguageSettings.ts';
import { LanguageSettingsModel } from '../../subgraphs/translation/languages/language/model.ts';
import type { CommandCall } from '../commands/runCommands.ts';
import type { InstallationPlan } from './readNewInstallation.ts';

const now = Date.now;

/**
 * Creates an installation with its languages, categories and first administrator, through the models, because no user
 * with permissions exists yet. The installation's own record is stored last. Records of an interrupted command belong
 * to no installation, and the command can be repeated.
 *
 * @returns the installation, and a link that sets the administrator's first password, because passwords are never
 *   printed
 * @throws Error with the remedy if a host is in use
 */
export async function foundInstallation(
  plan: InstallationPlan,
  { secrets, print, settle }: Pick<CommandCall, 'secrets' | 'print' | 'settle'>,
): Promise<{ installation: Installation; link: string }> {
  await settle({
    models: [
      InstallationModel,
      UserModel,
      CategoryModel,
      LanguageSettingsModel,
      MailLinkModel,
      AuditEventModel,
    ],
  });
  await assertFree(plan.hosts);
  const { name, hosts, baseUrl, locales, currency: defaultCurrency } = plan;
  const id = `ins_${ulid()}`;
  const planned = { id, name, hosts, baseUrl, locales, defaultCurrency, settings: defaultSettings };
  const languages = locales.map((tag) => ({ code: tag.toLowerCase(), bcp47: tag }));
  await createLanguageSettings(planned, { languages }, new Date(now()));
  print(`languages: ${locales.join(', ')}`);
  const administrator = await createUser(
    planned,
    {
      ...plan.administrator,
      emailVerified: true,
      accountType: 'staff',
      roles: ['buyer', 'installation_admin'],
    },
    { secrets, now },
  );
  print(`administrator: ${administrator.email} (${administrator._id})`);
  const { settings: _, ...made } = planned;
  const installation = await createInstallation(made, { now });
  await recordSystemAudit(
    { name: 'installations create', installationId: id, at: new Date(now()) },
    { action: 'createInstallation', target: { type: 'user', id: administrator._id } },
  );
  const place = { installationId: id, platform: { now } };
  const { token } = await issueMailLink(place, administrator, { purpose: 'reset_password' });
  const data = { displayName: administrator.displayName, token };
  const { link } = writeMail({ template: 'resetPassword', data, locale: 'en', installation });
  if (link === null) throw new Error('the email that sets a password has no link');
  return { installation, link };
}

async function assertFree(hosts: readonly string[]): Promise<void> {
  const holder = await InstallationModel.findOne({ hosts: { $in: [...hosts] } }).lean();
  if (!holder) return;
  const taken = holder.hosts.filter((host) => hosts.includes(host));
  throw new Error(
    `the host ${taken.join(', ')} belongs to the installation "${holder.name}" (${holder._id}). Choose another one with --host.`,
  );
}
