// Journey sells a car with the generated client, and prints what the service answered.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"example.com/journey/trigate"
)

func main() {
	ctx := context.Background()
	url := os.Getenv("TRIGATE_URL")
	anonymous, err := trigate.NewClientWithResponses(url)
	check(err)
	user, password := os.Getenv("TRIGATE_USER"), os.Getenv("TRIGATE_PASSWORD")
	signIn, err := anonymous.IssueTokenWithResponse(ctx, trigate.IssueTokenJSONRequestBody{
		GrantType: "password",
		Username:  &user,
		Password:  &password,
	})
	check(err)
	token := signIn.JSON200.AccessToken
	client, err := trigate.NewClientWithResponses(url, trigate.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+token)
			return nil
		}))
	check(err)

	var attributes map[string]any
	check(json.Unmarshal([]byte(os.Getenv("TRIGATE_ATTRIBUTES")), &attributes))
	condition := trigate.Used
	draft, err := client.CreateListingWithResponse(ctx, nil, trigate.CreateListingJSONRequestBody{
		DealerId:    text(os.Getenv("TRIGATE_DEALER")),
		CategoryId:  text(os.Getenv("TRIGATE_CATEGORY")),
		Title:       text("Volvo 145 estate"),
		Description: text("A sound estate of 1972."),
		Language:    text("en"),
		Condition:   &condition,
		Price:       &trigate.MoneyInput{Amount: 1_245_000, Currency: "EUR"},
		Attributes:  attributes,
		Location: &trigate.ListingLocationInput{
			PostalCode: text("10115"), City: text("Berlin"), Country: text("DE"),
		},
	})
	check(err)
	if draft.JSON201 == nil {
		log.Fatalf("create: %s", draft.Body)
	}
	published, err := client.PublishListingWithResponse(ctx, draft.JSON201.Id, nil)
	check(err)
	if published.JSON200 == nil {
		log.Fatalf("publish: %s", published.Body)
	}
	read, err := client.ListingWithResponse(ctx, draft.JSON201.Id, nil)
	check(err)
	refusal, err := client.ListingWithResponse(ctx, "lst_00000000000000000000000000", nil)
	check(err)

	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"id":      read.JSON200.Id,
		"title":   read.JSON200.Title,
		"state":   read.JSON200.State,
		"amount":  read.JSON200.Price.Amount,
		"refusal": refusal.ApplicationproblemJSON404.Code,
	}))
}

func text(value string) *string { return &value }

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
