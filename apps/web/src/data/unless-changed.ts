/** Empties a field after it was sent, unless the user has written something else in the meantime. */
export function unlessChanged<Value>(sent: Value, empty: Value): (now: Value) => Value {
  return (now) => (now === sent ? empty : now);
}
