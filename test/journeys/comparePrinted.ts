import { compareStyles } from './parity.ts';

/** `npm run parity -- <url> <password>`: calls everything in both styles and prints what differs. */
const [url = 'http://localhost:4000', password = process.env.DEMO_PASSWORD ?? ''] = process.argv.slice(2);
const findings = await compareStyles(url, password);
for (const { what, difference } of findings)
  console.log(
    `${difference === null ? 'same     ' : 'DIFFERENT'}  ${what}${difference === null ? '' : `\n     ${difference}`}`,
  );
const different = findings.filter(({ difference }) => difference !== null).length;
console.log(`${findings.length - different} of ${findings.length} agree member by member`);
process.exitCode = different === 0 ? 0 : 1;
