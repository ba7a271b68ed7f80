import stemmers from 'snowball-stemmers';
import { readWords } from '../text/readWords.ts';
import { authoredLanguages, describeSupport, findLanguage, languagesWith } from './findLanguage.ts';
import { findTransition } from './findTransition.ts';
import { hasStemmer, stem, stripElision } from './stemming/stem.ts';

describe('support levels', () => {
  test.each([
    ['full', 'en de fr es it nl pt ru pl ar ja ca he hu sv tr'],
    ['basic', 'fi el ta id uk fa ko'],
    ['segmentation_only', 'zh th xx und constructor'],
  ])('the level "%s" is that of %s', (level, codes) => {
    const levels = codes.split(' ').map((code) => describeSupport(findLanguage(code)).level);
    expect(new Set(levels)).toEqual(new Set([level]));
  });

  test('full is claimed exactly where stems, function words, transitions and passives exist', () => {
    for (const code of languagesWith('functionWords')) {
      const { level, ...aids } = describeSupport(findLanguage(code));
      const complete = aids.stemming && aids.functionWords && aids.transitionWords && aids.passiveVoice;
      expect([code, level === 'full']).toEqual([code, complete]);
    }
  });

  test('both written forms of Norwegian are one language here', () => {
    expect(findLanguage('nb')).toBe(findLanguage('nn'));
  });
});

describe('function words', () => {
  test.each([
    ['en', ['the', 'with', 'because', "isn't"], ['home', 'page', 'system', 'car', 'important']],
    ['de', ['der', 'und', 'wurde'], ['auto', 'mann', 'jahr', 'gut']],
    ['fr', ['le', 'dans', 'avec'], ['voiture', 'temps', 'maison']],
    ['hu', ['hogy', 'és'], ['tegnapelőtt']],
    ['id', ['yang', 'dan'], ['dipersoalkan', 'bermacam-macam']],
  ])('%s: closed-class words are in, words with a topic are out', (code, inside, outside) => {
    const words = findLanguage(code).functionWords;
    expect(inside.filter((word) => !words?.has(word))).toEqual([]);
    expect(outside.filter((word) => words?.has(word))).toEqual([]);
  });

  test('every word of an authored list is in comparison form', () => {
    for (const code of 'en de fr es it nl pt ru pl ar ja ca he hu id sv tr'.split(' ')) {
      const { functionWords, transitions } = findLanguage(code);
      const isAuthored = authoredLanguages().some((data) => data.code === code);
      const listed = [
        ...(isAuthored ? (functionWords ?? []) : []),
        ...(transitions?.words ?? []),
        ...(transitions?.phrases.flat() ?? []),
      ];
      expect(
        listed.filter((word) => word !== word.normalize('NFKC').toLowerCase() || /[\s’-]/.test(word)),
      ).toEqual([]);
    }
  });
});

describe('stems', () => {
  test.each([
    ['en', 'cars', 'car'],
    ['en', "dealer's", 'dealers'],
    ['de', 'häuser', 'haus'],
    ['fr', "l'automobile", 'automobiles'],
    ['es', 'coches', 'coche'],
    ['it', "dell'auto", 'auto'],
    ['nl', 'katten', 'kat'],
    ['nl', "auto's", 'auto'],
    ['nl', "foto's", 'foto'],
    ['nl', "BMW's".toLowerCase(), 'bmw'],
    ['nl', "Toyota'".toLowerCase(), 'toyota'],
    ['da', "bmw's", 'bmw'],
    ['tr', 'arabalar', 'araba'],
    ['tr', 'arabayı', 'arabaları'],
    ['tr', 'arabası', 'arabada'],
    ['tr', 'kapılar', 'kapı'],
    ['tr', "bmw'nin", 'bmw'],
    ['tr', "istanbul'da", 'istanbul'],
    ['ru', 'машины', 'машина'],
    ['pl', 'samochody', 'samochód'],
    ['pl', 'samochodów', 'samochodem'],
    ['pl', 'samochodzie', 'samochodu'],
    ['pl', 'książek', 'książka'],
    ['pl', 'używanego', 'używany'],
    ['pl', 'silnikami', 'silnik'],
    ['pl', 'rowerze', 'rowery'],
    ['ar', 'السيارات', 'سيارات'],
    ['ar', 'سيارة', 'السيارة'],
    ['ar', 'سيارات', 'سيارة'],
    ['ar', 'سيارتان', 'سيارة'],
    ['ar', 'بالسيارات', 'سيارة'],
    ['ar', 'محركات', 'محرك'],
    ['ar', 'إطارات', 'إطار'],
    ['ar', 'المستعملات', 'مستعمل'],
    ['ar', 'لإدارة', 'الإدارة'],
    ['ar', 'ولإطارات', 'إطار'],
    ...[...'בלמהושכ'].map((prefix): [string, string, string] => ['he', `${prefix}רכב`, 'רכב']),
    ['he', 'וברכב', 'רכב'],
    ['he', 'שהמכונית', 'מכונית'],
    ['he', 'לבית', 'הבית'],
    ['ja', '新しい', '新しく'],
    ['ja', '走る', '走り'],
  ])('%s: %s and %s meet', (language, one, other) => {
    expect(stem(one, language)).toBe(stem(other, language));
  });

  test.each([
    ['pl', 'silnik', 'silny'],
    ['pl', 'kot', 'koty', true],
    ['pl', 'rower', 'rok'],
    ['pl', 'droga', 'dom'],
    ['he', 'שיר', 'עיר'],
    ['he', 'בית', 'זית'],
    ['ar', 'بنت', 'بنات'],
    ['nl', 'autobus', 'auto'],
    ['tr', 'araba', 'araç'],
    ['ja', '車', '自転車'],
    ['ja', 'クルマ', 'クルーズ'],
  ])('%s: %s and %s meet only if they are one word', (language, one, other, same = false) => {
    expect(stem(one, language) === stem(other, language)).toBe(same);
  });

  test('every Snowball language of the library but Porter is used', () => {
    const used = 'ar ca cs da de en es eu fi fr ga hu hy it nl no pt ro ru sl sv ta tr'.split(' ');
    expect(used.every(hasStemmer)).toBe(true);
    expect(used).toHaveLength(stemmers.algorithms().length - 1);
  });

  test('a token longer than any word is left alone', () => {
    expect(stem('running'.repeat(20), 'en')).toBe('running'.repeat(20));
  });

  test('elision is undone only where the language has it', () => {
    expect(stripElision("qu'auto", 'fr')).toBe('auto');
    expect(stripElision("o'neill", 'en')).toBe("o'neill");
  });
});

describe('transitions', () => {
  test.each([
    ['en', 'however we sold it', [0, 0]],
    ['en', 'we sold it on the other hand', [3, 6]],
    ['en', 'either red or blue', [0, 2]],
    ['en', 'or either', null],
    ['fr', "lorsqu'un client arrive", [0, 0]],
    ['fr', "c'est à dire rouge", [0, 2]],
    ['fr', 'contrairement à la berline', [0, 1]],
    ['fr', 'contactez-nous après la vente', null],
    ['ru', 'тем или иным способом', null],
    ['ru', 'чем дальше тем лучше', [0, 2]],
    ['de', 'zum beispiel rot', [0, 1]],
    ['ru', 'таким образом всё готово', [0, 1]],
    ['pl', 'auto jest tanie po pierwsze', [3, 4]],
    ['pl', 'zarówno nowe jak używane', [0, 2]],
    ['pl', 'auto jest czerwone', null],
    ['pl', 'auto jest właściwie nowe', [2, 2]],
    ['nl', 'als je de auto koopt', [0, 0]],
    ['sv', 'bilen startar när det regnar', [2, 2]],
    ['tr', 'bu noktada araba durur', [0, 1]],
    ['ar', 'ولكن السيارة جديدة', [0, 0]],
    ['ar', 'السيارة جديدة على سبيل المثال', [2, 4]],
    ['ar', 'السيارة جديدة جدا', null],
    ['ja', 'したがって車は安い', [0, 0]],
    ['ja', 'その結果車は安い', [0, 1]],
    ['ja', '車は例えば安い', [2, 2]],
    ['ja', '車は安い', null],
    ['ca', 'en canvi el cotxe és nou', [0, 1]],
    ['ca', 'el cotxe és nou perquè és net', [4, 4]],
    ['ca', 'ni car ni vell', [0, 2]],
    ['ca', 'el cotxe vermell és aquí', null],
    ['he', 'לכן הרכב זול', [0, 0]],
    ['he', 'עם זאת הרכב ישן', [0, 1]],
    ['he', 'הרכב האדום כאן', null],
    ['hu', 'azonban a kocsi olcsó', [0, 0]],
    ['hu', 'ennek ellenére a kocsi jó', [0, 1]],
    ['hu', 'nemcsak szép hanem olcsó', [0, 2]],
    ['hu', 'a piros kocsi itt van', null],
    ['id', 'namun mobil ini murah', [0, 0]],
    ['id', 'oleh karena itu mobil ini murah', [0, 2]],
    ['id', 'mobil merah ada di sini', null],
    ['sv', 'dessutom är bilen ny', [0, 0]],
    ['sv', 'bilen är till exempel röd', [2, 3]],
    ['sv', 'varken ny eller gammal', [0, 2]],
    ['sv', 'den röda bilen står här', null],
    ['tr', 'ancak araba eski', [0, 0]],
    ['tr', 'bu nedenle araba ucuz', [0, 1]],
    ['tr', 'hem yeni hem ucuz', [0, 2]],
    ['tr', 'kırmızı araba burada', null],
    ['en', 'the red car drives', null],
  ])('%s: “%s”', (language, text, expected) => {
    const forms = readWords(text, language).map((word) => word.form);
    const found = findTransition(forms, findLanguage(language));
    expect(found && [found.first, found.last]).toEqual(expected);
  });
});
