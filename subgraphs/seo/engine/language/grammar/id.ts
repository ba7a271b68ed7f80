import { phraseList, wordSet } from '../LanguageData.ts';
import { type Grammar, wordPassive } from './Grammar.ts';

/** The prefix di- marks the passive: dijual, diperbaiki. */
const prefixed = /^di[a-z]{4,}$/;
/** Words that begin with the same letters, and places whose preposition is written without its space. */
const notPassives = wordSet(`
  dimana disini disana disitu didalam diluar diatas dibawah didepan dibelakang diantara dimanapun diri dirinya diriku
  dirimu diseluruh dirumah dikota dinding dingin dinas dinasti dinamis dinamika dinamo diesel digital dimensi direksi
  direktur direktorat distribusi distributor diskusi diskon diskusi disiplin disket diskriminasi dialog dialek diagram
  diagnosis diagnosa diameter diabetes diet dilema diploma diplomat diplomasi distrik divisi display dinar dirham disk
  disko dividen dian diaspora difusi digit diktator diktat dinosaurus dispenser disertasi disposisi distorsi diversifikasi
  diferensial diafragma diam dianya dinamit`);

export const indonesian: Grammar = {
  transitions: {
    words: wordSet(`
      namun tetapi tapi karena sebab sehingga maka meskipun walaupun meski walau jika bila apabila jikalau kalau
      kemudian selanjutnya akhirnya misalnya contohnya bahkan sementara sedangkan padahal lalu
      setelah sesudah sebelum ketika agar supaya akibatnya sebaliknya singkatnya kesimpulannya umumnya
      khususnya terutama juga selain melainkan biarpun seandainya sebelumnya sesudahnya setelahnya berikutnya yakni
      yaitu artinya intinya lantas sekalipun sejak selama hingga kendati`),
    phrases: phraseList(`
      oleh karena itu|oleh sebab itu|karena itu|sebab itu|selain itu|di sisi lain|di pihak lain|dengan demikian|
      sebagai contoh|pada akhirnya|dengan kata lain|di samping itu|meskipun demikian|walaupun demikian|walaupun begitu|
      meski begitu|namun demikian|akan tetapi|sementara itu|dalam hal ini|pada dasarnya|secara umum|tidak hanya|
      sebagai hasilnya|sebagai akibat|sebagai kesimpulan|setelah itu|sesudah itu|sebelum itu|pada saat yang sama|
      pada waktu yang sama|dengan begitu|lebih lanjut|lebih jauh|yang pertama|yang kedua|terlepas dari|
      dibandingkan dengan|berbeda dengan|sama seperti|begitu juga|demikian pula|demikian juga|secara keseluruhan|
      dalam kenyataannya|pada kenyataannya|sejauh ini|untuk itu|dengan tujuan|berkat itu|akibat dari`),
    pairs: [
      ['baik', 'maupun'],
      ['tidak', 'melainkan'],
      ['bukan', 'melainkan'],
      ['semakin', 'semakin'],
      ['entah', 'entah'],
      ['jika', 'maka'],
    ],
  },
  findPassives: wordPassive((form) => prefixed.test(form) && !notPassives.has(form)),
};
