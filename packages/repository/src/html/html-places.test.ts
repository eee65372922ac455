import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placesOf, TemplateError } from './html-places.ts'

/** `$` stands for a hole. */
const placesIn = (template: string): string[] =>
  placesOf(template.split('$')).map((place) => ('attribute' in place ? `${place.kind} ${place.attribute}` : place.kind))

const cases: [template: string, places: string[]][] = [
  ['$', ['text']],
  ['<p>$</p> $', ['text', 'text']],
  ['<p title="$">', ['value title']],
  ["<p TITLE='a $ b $'>", ['value title', 'value title']],
  ['<p title=">$<">$</p>', ['value title', 'text']],
  ['<a href="$">', ['address href']],
  ["<form action='$'>", ['address action']],
  ['<p$>', ['attributes']],
  ['<p hidden $ id="x"$>', ['attributes', 'attributes']],
  ['<br/>$', ['text']],
  ['<script src="$"></script>$', ['address src', 'text']],
  ['<!doctype html>$', ['text']],
]
for (const [template, places] of cases) {
  test(`holes of ${template}`, () => assert.deepEqual(placesIn(template), places))
}

const refused: [sentence: string, template: string][] = [
  ['the name of an element', '<$>'],
  ['the name of an attribute', '<p a$="x">'],
  ['a value without quotes', '<p title=$>'],
  ['any value without quotes', '<p title=x>$'],
  ['an event handler', '<p onclick="$">'],
  ['a style', '<p style="$">'],
  ['a document in an attribute', '<iframe srcdoc="$">'],
  ['the inside of a script', '<script>$</script>'],
  ['the inside of a style sheet', '<style>$</style>'],
  ['a comment', '<!-- $ -->'],
  ['the end of an address', '<a href="/$">'],
  ['the beginning of an address', '<a href="$/x">'],
  ['an address in two parts', '<a href="$$">'],
  ['a tag that does not end', '<p title="$"'],
]
for (const [sentence, template] of refused) {
  test(`nothing may be filled into ${sentence}`, () => assert.throws(() => placesIn(template), TemplateError))
}
