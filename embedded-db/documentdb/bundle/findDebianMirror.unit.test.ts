import { findDebianMirror, lineMirrors, stanzaMirrors } from './findDebianMirror.ts';

const STANZAS = `Types: deb deb-src
# a comment
URIs: http://one.example/debian/
 http://two.example/debian
Suites: stable
Components: main contrib

Types: deb
URIs: http://off.example/debian
Suites: stable
Components: main
Enabled: no

Types: deb-src
URIs: http://source.example/debian
Suites: stable
Components: main
`;

const LINES = `# deb http://commented.example/debian stable main
deb [arch=amd64 signed-by=/a b] http://three.example/debian/ stable contrib main
deb-src http://source.example/debian stable main
deb http://partial.example/debian stable contrib
deb http://security.example/debian-security stable main
`;

test('stanzas give the mirrors of enabled binary archives with the main component', () => {
  expect(stanzaMirrors(STANZAS)).toEqual(['http://one.example/debian', 'http://two.example/debian']);
});

test('lines give the mirrors of binary archives with the main component', () => {
  expect(lineMirrors(LINES)).toEqual([
    'http://three.example/debian',
    'http://security.example/debian-security',
  ]);
});

test('EMBEDDED_DB_MIRROR wins over what apt uses', () => {
  expect(findDebianMirror({ EMBEDDED_DB_MIRROR: 'http://mine.example/debian/' })).toBe(
    'http://mine.example/debian',
  );
});
