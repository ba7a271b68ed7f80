import { hasStemmer, stem } from './stem.ts';

/** Forms of one word in each row. */
const families: Readonly<Record<string, readonly string[]>> = {
  uk: [
    'машина машини машину машині машиною машин машинам машинами машинах',
    'автомобіль автомобіля автомобілю автомобілем автомобілі автомобілів автомобілями',
    'стіл стола столу столом столи столів столами',
    'книга книги книгу книзі книгою книгами',
    'новий нового новому новим новою нових новими',
    'дорога дороги дорогу дорозі дорогою дорогами',
    'гарантія гарантії гарантію гарантією',
  ],
  el: [
    'αυτοκίνητο αυτοκινήτου αυτοκίνητα αυτοκινήτων',
    'δρόμος δρόμου δρόμο δρόμοι δρόμων δρόμους',
    'εγγύηση εγγυήσεις εγγυήσεων',
    'θάλασσα θάλασσας θάλασσες θαλασσών',
    'καλός καλή καλό καλού καλής καλοί καλές καλά',
    'μηχανή μηχανής μηχανές μηχανών',
  ],
  fa: [
    'خودرو خودروها خودروهای خودروهایی',
    'کتاب کتاب‌ها کتاب‌های کتابها کتابی كتاب',
    'بزرگ بزرگتر بزرگترین بزرگ‌تر',
    'ماشین ماشین‌ها ماشینها ماشین‌هایشان',
    'دوست دوستان‌شان دوست‌هایمان',
  ],
  ko: [
    '자동차 자동차가 자동차는 자동차를 자동차의 자동차에서 자동차와 자동차로 자동차들이 자동차도',
    '사람 사람이 사람은 사람을 사람과 사람에게 사람으로 사람들은',
    '서울 서울로 서울에서 서울은 서울까지',
    '가격 가격이 가격을 가격은 가격보다 가격부터는',
  ],
  he: [
    'רכב הרכב ברכב לרכב רכבים הרכבים',
    'מכונית המכונית במכונית מכוניות המכוניות',
    'דירה הדירה דירות הדירות',
    'ספר הספר ספרים הספרים',
    'טלפון הטלפון טלפונים',
  ],
};

const rows = Object.entries(families).flatMap(([language, words]) =>
  words.map((row) => [language, row] as const),
);

test.each(rows)('in %s these forms have one stem: %s', (language, row) => {
  const forms = row.split(' ');
  const stems = forms.map((form) => [form, stem(form, language)]);
  const [expected] = forms.map((form) => stem(form, language));
  expect(stems).toEqual(forms.map((form) => [form, expected]));
});

test.each([
  ['uk', 'машина магазин'],
  ['uk', 'стіл стілець'],
  ['uk', 'дім дим'],
  ['el', 'δρόμος δρομέας'],
  ['el', 'θάλασσα θάλαμος'],
  ['fa', 'کتاب کاتب'],
  ['fa', 'دوست دست'],
  ['ko', '사람 사랑'],
  ['ko', '회의 회사'],
  ['ko', '아이 아버지'],
  ['he', 'ספר סיפור'],
  ['he', 'דירה דגל'],
])('in %s these words have different stems: %s', (language, row) => {
  const [first = '', second = ''] = row.split(' ');
  expect(stem(first, language)).not.toBe(stem(second, language));
});

test.each(['uk', 'el', 'fa', 'ko', 'he'])('%s has a stemmer whose stem is never empty', (language) => {
  expect(hasStemmer(language)).toBe(true);
  for (const row of families[language] ?? [])
    for (const form of row.split(' '))
      for (let length = 1; length <= form.length; length += 1)
        expect(stem(form.slice(0, length), language)).not.toBe('');
});

test.each(Object.entries(families))('stemming in %s takes linear time', (language, words) => {
  const forms = Array.from({ length: 40_000 }, (_, index) => `${words[0]?.split(' ')[0]}${index % 9973}`);
  const started = performance.now();
  expect(forms.map((form) => stem(form, language))).toHaveLength(forms.length);
  expect(performance.now() - started).toBeLessThan(2000);
});
