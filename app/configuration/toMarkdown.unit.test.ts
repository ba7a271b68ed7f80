import { integer, toggle } from './Setting.ts';
import { withSettings } from './toMarkdown.ts';

const page = `# Title

<!-- Generated from app/configuration by npm run generate. -->
stale
<!-- End of what is generated. -->

After.
`;
const concerns = {
  HTTP: { port: integer('PORT', { fallback: 4000, least: 0, most: 9, meaning: 'Port to listen on.' }) },
  GraphQL: { jit: toggle('JIT', { fallback: true, meaning: 'Whether queries are compiled.' }) },
};

test('writes a table of settings for each concern at the marked place of the page', () => {
  const written = withSettings(page, concerns);
  expect(written).toMatch(/^# Title\n\n<!-- Generated [^\n]+\n\n## HTTP\n/);
  expect(written).toContain('| `PORT` | `4000` | a whole number from 0 to 9 | Port to listen on. |\n');
  expect(written).toContain('## GraphQL');
  expect(written).toMatch(/\n\n<!-- End of what is generated. -->\n\nAfter\.\n$/);
  expect(written).not.toContain('stale');
  expect(withSettings(written, concerns)).toBe(written);
});

test('refuses a page without the two marker comments', () => {
  expect(() => withSettings('# Title', concerns)).toThrow(/The page needs the lines/);
});
