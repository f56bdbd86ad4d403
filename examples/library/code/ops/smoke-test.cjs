// Sends a message through the whole chain and measures until it is delivered.
const http = require('node:http')
const { setTimeout: sleep } = require('node:timers/promises')

const PROBE_ADDRESS = 'probe@lantern.example.org'
const GIVE_UP_AFTER_MS = 30_000

async function main(baseUrl) {
  const startedAt = Date.now()
  const { id } = await call(baseUrl, 'POST', '/v1/notifications', { to: PROBE_ADDRESS, template: 'probe' })
  while (Date.now() - startedAt < GIVE_UP_AFTER_MS) {
    const { state } = await call(baseUrl, 'GET', `/v1/notifications/${id}`)
    if (state === 'delivered') return console.log(`delivered after ${Date.now() - startedAt} ms`)
    await sleep(500)
  }
  console.error('the probe did not come back in time')
  process.exitCode = 1
}

function call(baseUrl, method, path, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(new URL(path, baseUrl), { method }, async (response) => {
      let text = ''
      for await (const part of response) text += part
      resolve(JSON.parse(text))
    })
    request.on('error', reject)
    request.end(body && JSON.stringify(body))
  })
}

main(process.argv[2] ?? 'http://127.0.0.1:8088')
