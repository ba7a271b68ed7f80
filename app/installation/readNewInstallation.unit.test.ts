import { readNewInstallation } from './readNewInstallation.ts';

const complete = {
  name: ' Cars ',
  'base-url': 'https://Cars.Example/',
  'admin-email': 'ada@cars.example',
};

test('fills in missing options with defaults and normalizes values', () => {
  expect(readNewInstallation(complete)).toEqual({
    name: 'Cars',
    baseUrl: 'https://cars.example',
    hosts: ['cars.example'],
    currency: 'EUR',
    locales: ['en'],
    administrator: { email: 'ada@cars.example', displayName: 'Administrator' },
  });
});

test('normalizes the given options and removes duplicates', () => {
  const plan = readNewInstallation({
    ...complete,
    'base-url': 'http://localhost:4000/cars//',
    'admin-name': 'Ada',
    host: ['LOCALHOST', 'bücher.example', 'localhost'],
    currency: 'JPY',
    locale: ['pt-br', 'de', 'PT-BR'],
  });
  expect(plan).toMatchObject({
    baseUrl: 'http://localhost:4000/cars',
    hosts: ['localhost', 'xn--bcher-kva.example'],
    currency: 'JPY',
    locales: ['pt-BR', 'de'],
    administrator: { displayName: 'Ada' },
  });
});

test.each([
  [{ name: undefined }, '--name is missing'],
  [{ name: '  ' }, '--name is missing'],
  [{ name: 'x'.repeat(121) }, '--name must have at most 120 characters'],
  [{ name: 'a\u202eb' }, '--name must have at most 120 characters'],
  [{ 'base-url': undefined }, '--base-url is missing'],
  [{ 'base-url': 'cars.example' }, '--base-url is "cars.example"'],
  [{ 'base-url': 'ftp://cars.example' }, '--base-url is "ftp://cars.example"'],
  [{ 'base-url': 'https://cars.example/?x=1' }, '--base-url is "https://cars.example/?x=1"'],
  [{ 'base-url': 'https://ada:pw@cars.example' }, '--base-url is'],
  [{ host: ['other.example'] }, '--base-url has the host "cars.example", which is not a --host'],
  [{ host: ['cars.example:80'] }, '--host is "cars.example:80"'],
  [{ host: [''] }, '--host is ""'],
  [{ host: ['-cars.example'] }, '--host is "-cars.example"'],
  [{ currency: 'Euro' }, '--currency is "Euro"'],
  [{ locale: ['e n'] }, '--locale is "e n"'],
  [{ locale: [''] }, '--locale is ""'],
  [{ 'admin-email': undefined }, '--admin-email is missing'],
  [{ 'admin-email': 'nobody' }, '--admin-email is "nobody"'],
  [{ 'admin-name': 'x'.repeat(61) }, '--admin-name: A display name must have 1 to 60 characters.'],
])('refuses the options %j: %s', (wrong, message) => {
  expect(() => readNewInstallation({ ...complete, ...wrong })).toThrow(message);
});
