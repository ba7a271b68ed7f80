import type { InstallationRole } from '../../schema/permissions.ts';
import { createInstallation } from '../../subgraphs/identity/createInstallation.ts';
import { storeDealer } from '../../subgraphs/identity/people/dealer/storeDealer.ts';
import { createUser } from '../../subgraphs/identity/people/user/createUser.ts';
import { hashPassword } from '../../subgraphs/identity/people/user/hashPassword.ts';
import { UserModel } from '../../subgraphs/identity/people/user/model.ts';
import type { Platform } from '../../subgraphs/platform/context/Platform.ts';
import { setBaseUrl } from '../../subgraphs/platform/installation/changeInstallation.ts';
import { defaultSettings } from '../../subgraphs/platform/installation/Installation.ts';
import { reads, scoped } from '../../subgraphs/platform/installation/scoped.ts';
import { createLanguageSettings } from '../../subgraphs/translation/languages/language/createLanguageSettings.ts';
import { alpineClassics, type DemonstrationDealer, roadTestCars, sunriseImports } from './dealers.ts';

/** A user of the demonstration. */
interface Person {
  email: string;
  displayName: string;
  roles: InstallationRole[];
  /** Dealer that the user owns. */
  dealer?: DemonstrationDealer;
  /** Whether the user has created a dealer that waits for its verification. */
  isApplicant?: true;
}

interface DemonstrationInstallation {
  name: string;
  people: Person[];
}

/** Two installations, to demonstrate that neither sees the data of the other. */
export const installations: readonly DemonstrationInstallation[] = [
  {
    name: 'demo',
    people: [
      { email: 'admin@demo.example', displayName: 'Ada Admin', roles: ['buyer', 'installation_admin'] },
      {
        email: 'dealer@demo.example',
        displayName: 'Dora Dealer',
        roles: ['buyer', 'seller'],
        dealer: roadTestCars,
      },
      {
        email: 'japan@demo.example',
        displayName: 'Jun Japan',
        roles: ['buyer', 'seller'],
        dealer: sunriseImports,
      },
      {
        email: 'europe@demo.example',
        displayName: 'Eva Europe',
        roles: ['buyer', 'seller'],
        dealer: alpineClassics,
      },
      { email: 'buyer@demo.example', displayName: 'Ben Buyer', roles: ['buyer', 'seller'] },
      { email: 'editor@demo.example', displayName: 'Edda Editor', roles: ['buyer', 'editor'] },
      { email: 'finance@demo.example', displayName: 'Fay Finance', roles: ['buyer', 'finance'] },
      { email: 'moderator@demo.example', displayName: 'Mona Moderator', roles: ['buyer', 'moderator'] },
      { email: 'translator@demo.example', displayName: 'Tom Translator', roles: ['buyer', 'translator'] },
      {
        email: 'newcomer@demo.example',
        displayName: 'Nora Newcomer',
        roles: ['buyer', 'seller'],
        isApplicant: true,
      },
    ],
  },
  {
    name: 'other',
    people: [
      { email: 'admin@other.example', displayName: 'Olga Admin', roles: ['buyer', 'installation_admin'] },
      {
        email: 'dealer@other.example',
        displayName: 'Otto Dealer',
        roles: ['buyer', 'seller'],
        dealer: { profile: { tradeName: 'Other Cars' } },
      },
    ],
  },
];

/** Returns the users of a demonstration installation. */
export function peopleOf(name: string): readonly Person[] {
  return installations.find((installation) => installation.name === name)?.people ?? [];
}

/** Returns the id of a demonstration installation. */
export function installationId(name: string): string {
  return `ins_${name}`;
}

/**
 * Creates the two installations with their categories, languages, users and dealers, through the models, because no
 * user with permissions exists yet. The installation's own record is stored last and marks the work as complete, so the
 * next start repeats an interrupted one.
 */
export async function createInstallations(
  platform: Platform,
  { port, password }: { port: number; password: string },
): Promise<void> {
  for (const { name, people } of installations) {
    const _id = installationId(name);
    const baseUrl = `http://${name}.localhost:${port}`;
    if (platform.installations.findById(_id)) {
      // The port is a setting of the start, and the URLs of the demonstration contain it.
      await setBaseUrl(_id, baseUrl);
      continue;
    }
    const at = new Date(platform.now());
    const installation = {
      id: _id,
      name: name === 'demo' ? 'Trigate demonstration' : 'Other marketplace',
      hosts: [`${name}.localhost`],
      baseUrl,
      defaultCurrency: 'EUR',
      locales: ['en', 'de', 'fr'],
      // Without a holding period, so that earnings of the sample sales can be paid out immediately.
      settings: { ...defaultSettings, earningsHeldDays: 0 },
    };
    await unlessPresent(() => createLanguageSettings(installation, languages, at));
    for (const person of people)
      await unlessPresent(() => createPerson(platform, installation, person, password));
    await createInstallation(installation, { now: platform.now });
  }
  await platform.installations.refresh();
}

type NewInstallation = Parameters<typeof createUser>[0];

const languages = {
  languages: [
    { code: 'en', active: true },
    { code: 'de', active: true },
    { code: 'fr', active: true },
    { code: 'ar', active: true },
    { code: 'ja', active: false },
  ],
  defaultCode: 'en',
};

async function createPerson(
  platform: Platform,
  installation: NewInstallation,
  person: Person,
  password: string,
): Promise<void> {
  const { email, displayName, roles, dealer } = person;
  const accountType = roles.includes('seller') ? 'personal' : 'staff';
  await unlessPresent(() =>
    createUser(
      installation,
      { email, displayName, roles, password, emailVerified: true, accountType },
      platform,
    ),
  );
  if (dealer === undefined) return;
  const user = await reads(UserModel, installation.id).findOne({ emailNormalized: email });
  if (!user) throw new Error(`The demonstration's person ${email} was not stored.`);
  await unlessPresent(() =>
    storeDealer(
      installation,
      {
        ...dealer.profile,
        contactEmail: email,
        state: 'active',
        members: [{ userId: user._id, role: 'owner' }],
        limits: { maxActiveListings: 1000 },
      },
      platform,
    ),
  );
}

/** Sets the passwords of the demonstration's users, for `DEMO_PASSWORD` on a later start. */
export async function setPasswords(platform: Platform, password: string): Promise<void> {
  const passwordHash = await hashPassword(platform.secrets, password);
  for (const { name, people } of installations) {
    const emailNormalized = { $in: people.map(({ email }) => email) };
    await scoped(UserModel, installationId(name)).updateMany({ emailNormalized }, { $set: { passwordHash } });
  }
}

/** Creates records unless an earlier start has created them: unique keys refuse duplicates. */
async function unlessPresent(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code !== 11000 && code !== 'email_taken' && code !== 'slug_taken') throw error;
  }
}
