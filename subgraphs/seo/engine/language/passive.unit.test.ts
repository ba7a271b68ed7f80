import { readDocument } from '../html/readDocument.ts';
import { readSentences } from '../text/readSentences.ts';
import { readWords } from '../text/readWords.ts';
import { findLanguage } from './findLanguage.ts';

/** The passive parts of a text, in the order they are found. */
function passives(language: string, text: string): string[] {
  const document = readDocument(`<p>${text}</p>`);
  const data = findLanguage(language);
  const words = readWords(document.text, language);
  return readSentences(document.text, document.blocks, words, data, language).flatMap((sentence) => {
    const own = words.slice(sentence.firstWord, sentence.endWord);
    const clauseWords = own.map((word, index) => ({
      form: word.form,
      afterPunctuation: index > 0 && /[,;:]/.test(document.text.slice(own[index - 1]?.end, word.start)),
      capitalised: index > 0 && /\p{Lu}/u.test(document.text[word.start] ?? ''),
    }));
    return (data.findPassives?.(clauseWords) ?? []).map(({ first, last }) =>
      document.text.slice(own[first]?.start, own[last]?.end),
    );
  });
}

const found: [string, string, ...string[]][] = [
  ['en', 'The car was sold yesterday.', 'was sold'],
  ['en', 'The engine has been carefully inspected.', 'been carefully inspected'],
  ['en', 'The tyres were not replaced.', 'were not replaced'],
  ['en', 'The brakes are being checked.', 'being checked'],
  ['en', 'The bumper got damaged.', 'got damaged'],
  ['en', 'Was it repaired?', 'Was it repaired'],
  ['en', "It isn't built here.", "isn't built"],
  ['de', 'Das Auto wurde gestern vom Händler verkauft.', 'wurde gestern vom Händler verkauft'],
  ['de', 'Der Wagen ist regelmäßig gewartet worden.', 'gewartet worden'],
  ['de', 'Der Preis kann verhandelt werden.', 'verhandelt werden'],
  ['de', 'Hier wird repariert.', 'wird repariert'],
  ['de', 'Die Rechnung wird morgen zugeschickt, weil heute Sonntag ist.', 'wird morgen zugeschickt'],
  ['de', 'Der Brief wurde gestern erhalten.', 'wurde gestern erhalten'],
  ['fr', 'La voiture a été vendue hier.', 'été vendue'],
  ['fr', 'Les freins sont contrôlés par le garage.', 'sont contrôlés'],
  ['fr', 'Les pneus ont été récemment changés.', 'été récemment changés'],
  ['fr', 'Le contrat doit être signé.', 'être signé'],
  ['es', 'El coche fue vendido ayer.', 'fue vendido'],
  ['es', 'La carta fue escrita por él.', 'fue escrita'],
  ['es', 'Las ruedas fueron recientemente cambiadas.', 'fueron recientemente cambiadas'],
  ['it', "L'auto è stata venduta ieri.", 'stata venduta'],
  ['it', 'I freni vengono controllati dal meccanico.', 'vengono controllati'],
  ['it', 'Il contratto deve essere firmato.', 'essere firmato'],
  ['nl', 'De auto werd gisteren verkocht.', 'werd gisteren verkocht'],
  ['nl', 'Het contract moet worden ondertekend.', 'worden ondertekend'],
  ['pt', 'O carro foi vendido ontem.', 'foi vendido'],
  ['pt', 'Os pneus foram recentemente trocados.', 'foram recentemente trocados'],
  ['ru', 'Автомобиль был вчера продан.', 'был вчера продан'],
  ['ru', 'Договор подписан.', 'подписан'],
  ['ru', 'Двери будут открыты.', 'будут открыты'],
  ['ru', 'Использованы новые детали.', 'Использованы'],
  ['pl', 'Samochód został wczoraj sprzedany.', 'został wczoraj sprzedany'],
  ['pl', 'Umowa będzie podpisana jutro.', 'będzie podpisana'],
  ['pl', 'Drzwi były otwarte.', 'były otwarte'],
  ['pl', 'Koła zostały szybko wymienione.', 'zostały szybko wymienione'],
  ['pl', 'Samochód używany będzie codziennie.', 'używany będzie'],
  ['pl', 'Sprzedany został wczoraj.', 'Sprzedany został'],
  ['pl', 'Drzwi otwarte są zawsze.', 'otwarte są'],
  ['pl', 'Umowa podpisana zostanie jutro.', 'podpisana zostanie'],
  ['ar', 'تم بيع السيارة أمس.', 'تم بيع'],
  ['ar', 'وسيتم فحص المحرك.', 'وسيتم فحص'],
  ['ar', 'هذا الاسم يُستخدم كثيرا.', 'يُستخدم'],
  ['ar', 'كُتِبَ العقد.', 'كُتِبَ'],
  ['ca', 'El cotxe va ser venut ahir.', 'ser venut'],
  ['ca', 'Els pneumàtics són recentment canviats.', 'són recentment canviats'],
  ['ca', 'La factura ha estat escrita.', 'estat escrita'],
  ['he', 'הרכב נמכר אתמול.', 'נמכר'],
  ['he', 'המנוע תוקן והצמיגים הוחלפו.', 'תוקן', 'הוחלפו'],
  ['hu', 'A motor meg lett javítva.', 'lett javítva'],
  ['hu', 'A kocsi el van adva.', 'van adva'],
  ['hu', 'Cserélve lett a gumi.', 'Cserélve lett'],
  ['id', 'Mobil ini dijual murah.', 'dijual'],
  ['id', 'Mesin sudah diperbaiki kemarin.', 'diperbaiki'],
  ['sv', 'Bilen blev såld i går.', 'blev såld'],
  ['sv', 'Motorn har blivit helt reparerad.', 'blivit helt reparerad'],
  ['sv', 'Bilen säljs billigt.', 'säljs'],
  ['sv', 'Bromsarna kontrollerades i maj.', 'kontrollerades'],
  ['tr', 'Araba dün satıldı.', 'satıldı'],
  ['tr', 'Araba yarın satılabilir.', 'satılabilir'],
  ['tr', 'Motor yeni onarılmıştır.', 'onarılmıştır'],
  ['tr', 'Motor düzenli olarak yapılıyor.', 'yapılıyor'],
  ['tr', 'Araç geçen yıl yenilendi.', 'yenilendi'],
  ['ja', '車が販売された。', '販売され'],
  ['ja', '新型がリリースされた。', 'され'],
  ['ja', '手紙が書かれている。', '書かれ'],
  ['ja', 'この部品は広く使われます。', '使われ'],
];

const silent: [string, string][] = [
  ['en', 'I am interested in this car.'],
  ['en', 'They were very pleased.'],
  ['en', 'It is a used car.'],
  ['en', 'The dealer has sold the car.'],
  ['en', 'Speed is what matters, indeed.'],
  ['en', 'She was there, tested it and left.'],
  ['de', 'Ich werde das Auto morgen kaufen.'],
  ['de', 'Der Wagen ist teuer geworden.'],
  ['de', 'Wir haben den Wagen geprüft.'],
  ['de', 'Er wird den Verkaufswert steigern.'],
  ['de', 'Es wird gut gehen.'],
  ['de', 'Sie werden morgen ein Angebot erhalten.'],
  ['fr', 'Elle est allée au garage.'],
  ['fr', 'Il s’est trompé.'],
  ['fr', 'Il est très fatigué.'],
  ['fr', 'Le vendeur a vendu la voiture.'],
  ['es', 'Hemos vendido el coche.'],
  ['es', 'La vida es bella.'],
  ['es', 'Es un resultado bueno.'],
  ['it', 'Lui è andato al mercato.'],
  ['it', 'Si è rotto ieri.'],
  ['it', 'Il sito è gratuito.'],
  ['it', 'Siamo riusciti a venderla.'],
  ['ru', 'Этот случай был уникален.'],
  ['nl', 'Ik heb de auto verkocht.'],
  ['nl', 'Het wordt koud.'],
  ['pt', 'Vendemos o carro.'],
  ['pt', 'A vida é bela.'],
  ['ru', 'Он должен был прийти.'],
  ['ru', 'Это был новый план.'],
  ['ru', 'Цены были высокими.'],
  ['ru', 'Дом строится.'],
  ['pl', 'To jest nowa strona.'],
  ['pl', 'Samochód był bardzo zadbany.'],
  ['pl', 'Ona jest zadowolona.'],
  ['pl', 'Bardzo zadbany był.'],
  ['pl', 'Używany, był tani.'],
  ['pl', 'Ten używany samochód jest tani.'],
  ['pl', 'Zadowolona jest.'],
  ['pl', 'Sprzedaliśmy samochód.'],
  ['ar', 'تم الأمر.'],
  ['ar', 'باع الرجل السيارة.'],
  ['ar', 'يستخدم الناس السيارة.'],
  ['ca', 'És una ciutat petita.'],
  ['ca', 'Hem venut el cotxe.'],
  ['ca', 'El preu és molt elevat.'],
  ['he', 'הוא מכר את הרכב.'],
  ['he', 'הרכב נראה נהדר.'],
  ['hu', 'A neve itt van.'],
  ['hu', 'Eladtam a kocsit.'],
  ['hu', 'A bolt nyitva van.'],
  ['id', 'Saya menjual mobil diesel ini.'],
  ['id', 'Dia ada di dalam.'],
  ['sv', 'Han blev mycket glad.'],
  ['sv', 'De lyckades sälja bilen.'],
  ['sv', 'Bilens motor är stark.'],
  ['sv', 'Bilen finns här.'],
  ['tr', 'Araba yeni değildir ve yeşildir.'],
  ['tr', 'Arabayı satabilirsiniz ve alabildi.'],
  ['tr', 'Bu bir otomobildi.'],
  ['tr', 'Onu dün buldu.'],
  ['tr', 'Arabayı kullandı.'],
  ['tr', 'Adam ayrıldı.'],
  ['tr', 'Araba kırmızıdır.'],
  ['ja', '私は疲れた。'],
  ['ja', '子供が生まれた。'],
  ['ja', '寿司が食べられる。'],
  ['ja', 'これは車です。'],
];

describe('passive voice', () => {
  test.each(found)('%s: is found in “%s”', (language, text, ...expected) => {
    expect(passives(language, text)).toEqual(expected);
  });

  test.each(silent)('%s: is not found in “%s”', (language, text) => {
    expect(passives(language, text)).toEqual([]);
  });
});
