import { runCommands } from '../app/commands/runCommands.ts';
import { foundInstallation } from '../app/installation/foundInstallation.ts';
import { readNewInstallation } from '../app/installation/readNewInstallation.ts';
import { writeUsage } from '../app/installation/writeUsage.ts';
import { UserModel } from '../subgraphs/identity/people/user/model.ts';
import { openInstallations } from '../subgraphs/platform/installation/Installations.ts';
import { reads } from '../subgraphs/platform/installation/scoped.ts';

/** `npm run installations -- list|create|export-usage`: the tenants of a deployment that may be running. */
await runCommands(
  'installations',
  'Manages the installations (tenants) of a deployment, which may be running. Each is created with its first administrator.',
  {
    list: {
      usage: '  all installations: hosts, base URL, languages, administrators',
      async run({ print }) {
        const { all, close } = await openInstallations();
        close();
        if (all.length === 0) print('no installations yet. Create one with: npm run installations -- create');
        for (const { id, name, hosts, baseUrl, locales } of all) {
          const administrators = await reads(UserModel, id).count({
            roles: 'installation_admin',
            state: 'active',
          });
          print(
            `${id}  "${name}"  hosts: ${hosts.join(', ')}  base URL: ${baseUrl}  languages: ${locales.join(', ')}  administrators: ${administrators}`,
          );
        }
      },
    },
    create: {
      usage: `--name <name> --base-url <url> --admin-email <address>
      [--host <host>]…       names it answers at; default: that of the base URL
      [--admin-name <name>]  display name of the first administrator
      [--currency <code>]    ISO 4217; default: EUR
      [--locale <tag>]…      BCP 47, the default language first; default: en`,
      options: {
        name: { type: 'string' },
        'base-url': { type: 'string' },
        'admin-email': { type: 'string' },
        'admin-name': { type: 'string' },
        host: { type: 'string', multiple: true },
        currency: { type: 'string' },
        locale: { type: 'string', multiple: true },
      },
      async run(call) {
        const { print } = call;
        const { installation, link } = await foundInstallation(readNewInstallation(call.values), call);
        print(`installation ${installation.id} answers at ${installation.hosts.join(', ')}`);
        print('running processes use it within five seconds');
        print(`the administrator must set a password within 30 minutes: ${link}`);
        print(
          'later: "forgot password" sends an email with another link (POST /api/v1/auth/password-resets)',
        );
      },
    },
    'export-usage': {
      usage: `<file>  writes the usage ledger of all installations as JSON lines, for schema checks
      [--days <number>]      days before today; default: 90`,
      positionals: 1,
      options: { days: { type: 'string', default: '90' } },
      async run({ print, values, positionals: [file = ''] }) {
        const { lines, installations } = await writeUsage(file, String(values.days));
        print(`${file}: ${lines} lines of ${installations} installations`);
      },
    },
  },
);
