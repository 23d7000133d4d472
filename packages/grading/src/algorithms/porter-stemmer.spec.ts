import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { porterStem } from './porter-stemmer.js';

/** As the default PorterStemmer of NLTK 3.8 stems them. */
test.each([
  ['caresses', 'caress'],
  ['ponies', 'poni'],
  ['ties', 'tie'],
  ['cats', 'cat'],
  ['flies', 'fli'],
  ['dies', 'die'],
  ['agreed', 'agre'],
  ['feed', 'feed'],
  ['plastered', 'plaster'],
  ['motoring', 'motor'],
  ['sing', 'sing'],
  ['conflated', 'conflat'],
  ['troubled', 'troubl'],
  ['sized', 'size'],
  ['hopping', 'hop'],
  ['tanned', 'tan'],
  ['falling', 'fall'],
  ['hissing', 'hiss'],
  ['failing', 'fail'],
  ['filing', 'file'],
  ['happy', 'happi'],
  ['enjoy', 'enjoy'],
  ['spy', 'spi'],
  ['sky', 'sky'],
  ['skies', 'sky'],
  ['relational', 'relat'],
  ['conditional', 'condit'],
  ['rational', 'ration'],
  ['digitizer', 'digit'],
  ['radically', 'radic'],
  ['differently', 'differ'],
  ['vietnamization', 'vietnam'],
  ['predication', 'predic'],
  ['operator', 'oper'],
  ['feudalism', 'feudal'],
  ['decisiveness', 'decis'],
  ['hopefulness', 'hope'],
  ['formality', 'formal'],
  ['sensitivity', 'sensit'],
  ['possibly', 'possibl'],
  ['geology', 'geolog'],
  ['hopefully', 'hope'],
  ['triplicate', 'triplic'],
  ['formative', 'form'],
  ['electrical', 'electr'],
  ['goodness', 'good'],
  ['revival', 'reviv'],
  ['allowance', 'allow'],
  ['inference', 'infer'],
  ['airliner', 'airlin'],
  ['adjustable', 'adjust'],
  ['irritant', 'irrit'],
  ['replacement', 'replac'],
  ['adoption', 'adopt'],
  ['homologous', 'homolog'],
  ['communism', 'commun'],
  ['activate', 'activ'],
  ['effective', 'effect'],
  ['probate', 'probat'],
  ['rate', 'rate'],
  ['cease', 'ceas'],
  ['controll', 'control'],
  ['roll', 'roll'],
  ['news', 'news'],
  ['dying', 'die'],
  ['proceed', 'proceed'],
  ['tying', 'tie'],
  ['tried', 'tri'],
  ['skied', 'ski'],
  ['y', 'y'],
  ['2024', '2024'],
  ['running', 'run'],
])('the stem of %s is %s', (word, stem) => {
  expect(porterStem(word)).toBe(stem);
});

test('a stem begins like its word and is at most one letter longer than the rest of it', () => {
  const letter = fc.constantFrom(...'abcdefghilmnoprstuyz019');
  fc.assert(
    fc.property(fc.string({ unit: letter, maxLength: 14 }), (word) => {
      const stem = porterStem(word);
      expect(stem.length).toBeLessThanOrEqual(word.length + 1);
      expect(stem.slice(0, 1)).toBe(word.slice(0, 1));
    }),
  );
});
