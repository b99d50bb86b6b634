// Prints, as JSON pairs of first and last, the code points that are not of category C in this runtime's Unicode.
if (process.versions.unicode !== '17.0') throw new Error(`Unicode 17.0 wanted, this is ${process.versions.unicode}`)

const ranges = []
for (let r = 0; r <= 0x10ffff; r++) {
  if (/\p{C}/u.test(String.fromCodePoint(r))) continue
  const last = ranges.at(-1)
  if (last && last[1] === r - 1) last[1] = r
  else ranges.push([r, r])
}
console.log(JSON.stringify(ranges))
